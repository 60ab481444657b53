/** Numbers as they stand in a stream, and as Qt's QByteArray reads them. */

const quick = /^(?:0|[1-9]\d{0,15})$/;
const whole = /^[+-]?\d{1,400}$/;
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const spaces = /^[\t-\r ]+|[\t-\r ]+$/g;

/** A qint64 exactly; null when the text is none. */
export function int64(text: string): bigint | null {
  if (quick.test(text)) return BigInt(text);
  if (!whole.test(text)) return null;
  const value = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, value) === value ? value : null;
}

/** A quint64 exactly; null when the text is none. */
export function uint64(text: string): bigint | null {
  if (quick.test(text)) return BigInt(text);
  if (!whole.test(text)) return null;
  const value = BigInt(text.replace('+', ''));
  return BigInt.asUintN(64, value) === value ? value : null;
}

/** A finite decimal number in any notation of C; null when the text is none. */
export function finite(text: string): number | null {
  const value = decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}

/** What QByteArray's number readers do beside: blanks around the number are passed over. */
export const withoutBlanks = (text: string): string => text.replace(spaces, '');

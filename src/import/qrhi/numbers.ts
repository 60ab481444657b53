/** Numbers as they stand in a stream, and as Qt's QByteArray reads them. */

const longestQuick = 15;
const whole = /^[+-]?\d{1,400}$/;
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const spaces = /^[\t-\r ]+|[\t-\r ]+$/g;

/** The value of up to 15 digits, which is what nearly every number of a stream is; null for any other text. */
function quick(text: string): bigint | null {
  const { length } = text;
  if (length === 0 || length > longestQuick) return null;
  let value = 0;
  for (let at = 0; at < length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return null;
    value = value * 10 + digit;
  }
  return BigInt(value);
}

const exact = (text: string): bigint | null => (whole.test(text) ? BigInt(text.replace('+', '')) : null);

/** A qint64 exactly; null when the text is none. */
export function int64(text: string): bigint | null {
  const value = quick(text) ?? exact(text);
  return value !== null && BigInt.asIntN(64, value) === value ? value : null;
}

/** A quint64 exactly; null when the text is none. */
export function uint64(text: string): bigint | null {
  const value = quick(text) ?? exact(text);
  return value !== null && BigInt.asUintN(64, value) === value ? value : null;
}

/** A finite decimal number in any notation of C; null when the text is none. */
export function finite(text: string): number | null {
  const value = decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}

/** What QByteArray's number readers do beside: blanks around the number are passed over. */
export const withoutBlanks = (text: string): string => text.replace(spaces, '');

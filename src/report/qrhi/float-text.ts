/** Floats as Qt writes them: QByteArray::number of a float32, which is C's `%.6g`. */

const significant = 6;

/** Six digits before the exponent, rounded as C does: halves to the even digit, where JavaScript rounds them up. */
function rounded(value: number): string {
  const text = value.toExponential(significant - 1);
  // Few numbers may be halves, and all digits of one take long.
  if (!/50e/.test(value.toExponential(significant + 1))) return text;
  const exact = value.toExponential(40);
  const [digits, exponent] = exact.split('e');
  const isHalf = /^50*$/.test(digits.slice(significant + 1));
  // A half whose kept digits are even already stays with them.
  return isHalf && Number(digits[significant]) % 2 === 0 ? `${digits.slice(0, significant + 1)}e${exponent}` : text;
}

/** A finite number as `%.6g` of its float32. */
export function floatText(number: number): string {
  const value = Math.fround(number);
  if (value === 0) return '0';
  const [digits, power] = rounded(Math.abs(value)).split('e');
  const exponent = Number(power);
  const sign = value < 0 ? '-' : '';
  const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
  if (exponent < -4 || exponent >= significant) {
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${trimmed(digits)}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  return sign + trimmed(Number(`${digits}e${exponent}`).toFixed(significant - 1 - exponent));
}

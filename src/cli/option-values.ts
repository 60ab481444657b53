/** Readers of option values; what they throw becomes a usage error that names the option. */
import { InvalidArgumentError } from 'commander';

function wholeNumber(text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
}

export const countFrom = (least: number, most: number) => (text: string) => wholeNumber(text, least, most);

/** Of `--timeout`: a call that takes longer than most replays is one that will not end. */
export const defaultTimeoutSeconds = 120;

export function seconds(text: string): number {
  const value = /^\d+(\.\d+)?$|^\.\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= 3600) return value;
  throw new InvalidArgumentError('It must be a number of seconds from above 0 to 3600.');
}

/** `5%` as a part of one, above 0 and at most `most`. */
export const percentage = (most: number) => (text: string) => {
  const [, digits] = /^(\d+(?:\.\d+)?|\.\d+)%$/.exec(text) ?? [];
  const part = Number(digits) / 100;
  if (part > 0 && part <= most) return part;
  throw new InvalidArgumentError(`It must be a percentage from above 0% to ${most * 100}%, such as 5%.`);
};

const nanoseconds: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9 };

/** `50us` in nanoseconds. */
export function durationNs(text: string): number {
  const [, digits, unit] = /^(\d+(?:\.\d+)?|\.\d+)(ns|us|µs|ms|s)$/.exec(text) ?? [];
  const value = Number(digits) * (nanoseconds[unit] ?? Number.NaN);
  if (value > 0 && value <= 3600e9) return value;
  throw new InvalidArgumentError('It must be a duration above 0 with its unit, such as 50us or 0.1ms.');
}

/** `NAME=VALUE`, added to those of the same option before it. */
export function environmentVariable(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('It must be NAME=VALUE.');
  return { ...before, [name]: value };
}

/** 0 is at once. */
export function lingerSeconds(text: string): number {
  const value = /^\d+(\.\d+)?$|^\.\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value <= 86_400) return value;
  throw new InvalidArgumentError('It must be a number of seconds from 0 to 86400.');
}

export function frameNumber(text: string): number | 'all' {
  return text === 'all' ? 'all' : wholeNumber(text, 1, 1_000_000);
}

export function softwareThreads(text: string): number | 'default' {
  return text === 'default' ? 'default' : wholeNumber(text, 0, 16);
}

/** `a,b` as two patterns, added to those of the same option before it. */
export function patterns(text: string, before: readonly string[] = []): readonly string[] {
  const added = text.split(',').map((pattern) => pattern.trim());
  if (added.includes('')) throw new InvalidArgumentError('It must be one pattern, or several with commas between.');
  return [...before, ...added];
}

const largestSide = 16384;

/** `1280x720` as width and height. */
export function canvasSize(text: string): readonly [number, number] {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/i.exec(text)?.map(Number) ?? [];
  if (width >= 1 && height >= 1 && width <= largestSide && height <= largestSide) return [width, height];
  throw new InvalidArgumentError(`It must be WIDTHxHEIGHT, such as 1280x720, each from 1 to ${largestSide}.`);
}

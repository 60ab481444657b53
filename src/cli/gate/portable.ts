/** Results go where people read them who do not know the runner's folders. */
import type { GateCapture } from '../../model/gate.ts';
import { type CapturePlan, type GatePlan, pathOf } from './read-config.ts';

/** The capture with its files as the configuration names them, in comparisons and in every sentence. */
export function portable(checked: GateCapture, capture: CapturePlan, plan: GatePlan): GateCapture {
  const named = [capture.file, ...(capture.baseline === null ? [] : [capture.baseline])];
  const replacements = [
    ...named.map((file) => [pathOf(plan, file), file]),
    [pathOf(plan, '').replace(/\/?$/, '/'), ''],
  ];
  const shortened = (text: string): string =>
    replacements.reduce((left, [path, file]) => (path === '/' ? left : left.replaceAll(path, () => file)), text);
  const withMessage = <T extends { readonly message: string }>(one: T): T => ({
    ...one,
    message: shortened(one.message),
  });
  const { reason, checks, warnings, comparison } = checked;
  const side = <T extends { readonly capture: { readonly file: string } }>(one: T): T => ({
    ...one,
    capture: { ...one.capture, file: shortened(one.capture.file) },
  });
  return {
    ...checked,
    reason: reason === null ? null : shortened(reason),
    checks: checks.map(withMessage),
    warnings: warnings.map(withMessage),
    comparison: comparison && { ...comparison, base: side(comparison.base), new: side(comparison.new) },
  };
}

import { enumLines } from './registry/enum-lines.ts';

interface Names {
  readonly byGroup: Map<string, Map<number, string>>;
  readonly byValue: Map<number, string>;
}

let names: Names | undefined;
let values: Map<string, number> | undefined;

/** Suffixes of vendors and extensions: such a name is used only where no core name has the value. */
const suffixed =
  /_(ARB|EXT|OES|KHR|ANGLE|APPLE|NV|NVX|AMD|ATI|INTEL|SGIX|SGIS|SGI|IBM|SUN|MESA|QCOM|ARM|IMG|3DFX|PGI|HP|INGR|WIN|REND|S3|FJ|VIV|DMP|OVR|OML)\b/;

function load(): Names {
  if (names) return names;
  const byGroup = new Map<string, Map<number, string>>();
  const byValue = new Map<number, string>();
  const prefer = (map: Map<number, string>, value: number, name: string) => {
    const present = map.get(value);
    if (present === undefined || (suffixed.test(present) && !suffixed.test(name))) map.set(value, name);
  };
  for (const line of enumLines.split('\n')) {
    if (!line) continue;
    const [bare, hexadecimal, groups] = line.split('|');
    const name = `GL_${bare}`;
    const value = Number.parseInt(hexadecimal, 16);
    prefer(byValue, value, name);
    for (const group of groups ? groups.split(',') : []) {
      const members = byGroup.get(group) ?? new Map<number, string>();
      byGroup.set(group, members);
      prefer(members, value, name);
    }
  }
  names = { byGroup, byValue };
  return names;
}

/** All that a replay needs when it starts: names take several times as long to sort. */
function loadValues(): Map<string, number> {
  if (values) return values;
  values = new Map();
  for (const line of enumLines.split('\n')) {
    const end = line.indexOf('|');
    if (end > 0) values.set(`GL_${line.slice(0, end)}`, Number.parseInt(line.slice(end + 1), 16));
  }
  return values;
}

/** The name a value has in a group, or undefined. */
export function enumNameInGroup(value: number, group: string): string | undefined {
  return load().byGroup.get(group)?.get(value);
}

/** `GL_TRIANGLES` for 4 in group `PrimitiveType`; hexadecimal when no name fits. Small values need their group. */
export function enumName(value: number, group?: string): string {
  const { byGroup, byValue } = load();
  const inGroup = group === undefined ? undefined : byGroup.get(group)?.get(value);
  if (inGroup) return inGroup;
  if (value >= 0x100) {
    const anywhere = byValue.get(value);
    if (anywhere) return anywhere;
  }
  if (value === 0) return '0';
  return `0x${value.toString(16)}`;
}

/** `GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT` for a mask in group `ClearBufferMask`; unknown bits in hexadecimal. */
export function bitfieldNames(value: number, group?: string): string {
  if (value === 0) return '0';
  const members = group === undefined ? undefined : load().byGroup.get(group);
  const parts: string[] = [];
  let rest = value >>> 0;
  if (members?.has(rest)) return members.get(rest) as string;
  for (let bit = 1; bit <= 0x80000000 && rest !== 0; bit *= 2) {
    const name = members?.get(bit);
    if (name === undefined || (rest & bit) === 0) continue;
    parts.push(name);
    rest = (rest & ~bit) >>> 0;
  }
  if (rest !== 0) parts.push(`0x${rest.toString(16)}`);
  return parts.join(' | ');
}

/** The number of an enum by its full name (`GL_TEXTURE_2D`), or undefined. */
export function enumValue(name: string): number | undefined {
  return loadValues().get(name);
}

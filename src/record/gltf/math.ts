/** Column-major 4x4 matrices, as glTF and GL have them, and vectors of three. */
export type Mat4 = number[];
export type Vec3 = [number, number, number];
export type Quat = readonly [number, number, number, number];

export const identity = (): Mat4 => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export function multiply(a: ArrayLike<number>, b: ArrayLike<number>): Mat4 {
  const out: Mat4 = new Array(16);
  for (let column = 0; column < 4; column++)
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[k * 4 + row] * b[column * 4 + k];
      out[column * 4 + row] = sum;
    }
  return out;
}

export function compose(
  [tx, ty, tz]: ArrayLike<number> & Iterable<number>,
  [x, y, z, w]: ArrayLike<number> & Iterable<number>,
  [sx, sy, sz]: ArrayLike<number> & Iterable<number>,
): Mat4 {
  return [
    (1 - 2 * (y * y + z * z)) * sx,
    2 * (x * y + z * w) * sx,
    2 * (x * z - y * w) * sx,
    0,
    2 * (x * y - z * w) * sy,
    (1 - 2 * (x * x + z * z)) * sy,
    2 * (y * z + x * w) * sy,
    0,
    2 * (x * z + y * w) * sz,
    2 * (y * z - x * w) * sz,
    (1 - 2 * (x * x + y * y)) * sz,
    0,
    tx,
    ty,
    tz,
    1,
  ];
}

export function transformPoint(m: ArrayLike<number>, x: number, y: number, z: number): Vec3 {
  return [
    m[0] * x + m[4] * y + m[8] * z + m[12],
    m[1] * x + m[5] * y + m[9] * z + m[13],
    m[2] * x + m[6] * y + m[10] * z + m[14],
  ];
}

/** Determinant of the upper left 3x3: negative when the transform mirrors. */
export function determinant3(m: ArrayLike<number>): number {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]);
}

/** Inverse of a transform whose last row is 0 0 0 1; the identity when it has none. */
export function invertAffine(m: ArrayLike<number>): Mat4 {
  const determinant = determinant3(m);
  if (!(Math.abs(determinant) > 1e-30)) return identity();
  const k = 1 / determinant;
  const out: Mat4 = [
    (m[5] * m[10] - m[9] * m[6]) * k,
    (m[9] * m[2] - m[1] * m[10]) * k,
    (m[1] * m[6] - m[5] * m[2]) * k,
    0,
    (m[8] * m[6] - m[4] * m[10]) * k,
    (m[0] * m[10] - m[8] * m[2]) * k,
    (m[4] * m[2] - m[0] * m[6]) * k,
    0,
    (m[4] * m[9] - m[8] * m[5]) * k,
    (m[8] * m[1] - m[0] * m[9]) * k,
    (m[0] * m[5] - m[4] * m[1]) * k,
    0,
    0,
    0,
    0,
    1,
  ];
  for (let row = 0; row < 3; row++) out[12 + row] = -(out[row] * m[12] + out[4 + row] * m[13] + out[8 + row] * m[14]);
  return out;
}

export function perspective(yfov: number, aspect: number, near: number, far: number): Mat4 {
  const f = 1 / Math.tan(yfov / 2);
  const infinite = !Number.isFinite(far);
  const a = infinite ? -1 : (far + near) / (near - far);
  const b = infinite ? -2 * near : (2 * far * near) / (near - far);
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, a, -1, 0, 0, b, 0];
}

export function orthographic(xmag: number, ymag: number, near: number, far: number): Mat4 {
  const depth = near - far;
  return [1 / xmag, 0, 0, 0, 0, 1 / ymag, 0, 0, 0, 0, 2 / depth, 0, 0, 0, (far + near) / depth, 1];
}

export const subtract = (a: ArrayLike<number>, b: ArrayLike<number>): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const length = (a: ArrayLike<number>): number => Math.hypot(a[0], a[1], a[2]);
const cross = (a: ArrayLike<number>, b: ArrayLike<number>): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The vector at length 1, or `fallback` when it has no direction. */
export function normalize(a: ArrayLike<number>, fallback: Vec3 = [0, 0, 1]): Vec3 {
  const size = length(a);
  return size > 1e-20 && Number.isFinite(size) ? [a[0] / size, a[1] / size, a[2] / size] : fallback;
}

/** The world transform of something at `eye` that looks at `target`, as a camera node has it. */
export function lookAt(eye: Vec3, target: Vec3, up: Vec3 = [0, 1, 0]): Mat4 {
  const back = normalize(subtract(eye, target));
  const right = normalize(cross(up, back), [1, 0, 0]);
  const above = cross(back, right);
  return [...right, 0, ...above, 0, ...back, 0, ...eye, 1];
}

/** Between two unit quaternions, the short way round. */
export function slerp(a: Quat, b: Quat, t: number): [number, number, number, number] {
  let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(1, Math.abs(cosine));
  const angle = Math.acos(cosine);
  const sine = Math.sin(angle);
  const from = sine < 1e-6 ? 1 - t : Math.sin((1 - t) * angle) / sine;
  const to = (sine < 1e-6 ? t : Math.sin(t * angle) / sine) * sign;
  return normalizeQuat([
    a[0] * from + b[0] * to,
    a[1] * from + b[1] * to,
    a[2] * from + b[2] * to,
    a[3] * from + b[3] * to,
  ]);
}

export function normalizeQuat(q: ArrayLike<number>): [number, number, number, number] {
  const size = Math.hypot(q[0], q[1], q[2], q[3]);
  return size > 1e-20 && Number.isFinite(size) ? [q[0] / size, q[1] / size, q[2] / size, q[3] / size] : [0, 0, 0, 1];
}

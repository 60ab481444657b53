/** Meshes made in code: positions, normals and texture coordinates of each vertex, and triangles. */
export interface Shape {
  readonly positions: Float32Array<ArrayBuffer>;
  readonly normals: Float32Array<ArrayBuffer>;
  readonly uvs: Float32Array<ArrayBuffer>;
  readonly indices: Uint16Array<ArrayBuffer>;
}

/**
 * A surface of revolution around y: `profile` lists radius, height and the normal's slope (its y part, from -1 to 1) from
 * bottom to top.
 */
export function lathe(profile: readonly (readonly [number, number, number])[], segments: number): Shape {
  const positions: number[] = [];
  const normals: number[] = [];
  const uvs: number[] = [];
  const indices: number[] = [];
  for (const [row, [radius, height, slope]] of profile.entries())
    for (let column = 0; column <= segments; column++) {
      const angle = (column / segments) * 2 * Math.PI;
      const flat = Math.sqrt(1 - slope * slope);
      positions.push(radius * Math.cos(angle), height, -radius * Math.sin(angle));
      normals.push(flat * Math.cos(angle), slope, -flat * Math.sin(angle));
      uvs.push((column / segments) * 4, 1 - row / (profile.length - 1));
    }
  const width = segments + 1;
  for (let row = 0; row + 1 < profile.length; row++)
    for (let column = 0; column < segments; column++) {
      const at = row * width + column;
      indices.push(at, at + 1, at + width, at + 1, at + width + 1, at + width);
    }
  return {
    positions: new Float32Array(positions),
    normals: new Float32Array(normals),
    uvs: new Float32Array(uvs),
    indices: new Uint16Array(indices),
  };
}

export function sphere(radius: number, segments: number, rows: number): Shape {
  return lathe(
    Array.from({ length: rows + 1 }, (_, row) => {
      const latitude = (row / rows - 0.5) * Math.PI;
      return [radius * Math.cos(latitude), radius * Math.sin(latitude), Math.sin(latitude)] as const;
    }),
    segments,
  );
}

/** A closed cylinder or cone that stands on the ground. */
export function pillar(bottom: number, top: number, height: number, segments: number): Shape {
  const slope = (bottom - top) / Math.hypot(bottom - top, height);
  return lathe(
    [
      [0, 0, -1],
      [bottom, 0, -1],
      [bottom, 0, slope],
      [top, height, slope],
      [top, height, 1],
      [0, height, 1],
    ],
    segments,
  );
}

/** A box that stands on the ground, each face with the whole texture `repeat` times. */
export function box(width: number, height: number, depth: number, repeat = 1): Shape {
  const positions: number[] = [];
  const normals: number[] = [];
  const uvs: number[] = [];
  const indices: number[] = [];
  const axes = [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
  ];
  const size = [width, height, depth];
  for (const [normal, u, v] of axes)
    for (const side of [1, -1]) {
      const first = positions.length / 3;
      for (const [a, b] of [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ]) {
        const point = [0, 0, 0];
        point[normal] = (side * size[normal]) / 2;
        point[u] = (a * side * size[u]) / 2;
        point[v] = (b * size[v]) / 2;
        point[1] += height / 2;
        positions.push(...point);
        const direction = [0, 0, 0];
        direction[normal] = side;
        normals.push(...direction);
        uvs.push(((a + 1) / 2) * repeat, ((1 - b) / 2) * repeat);
      }
      indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  return {
    positions: new Float32Array(positions),
    normals: new Float32Array(normals),
    uvs: new Float32Array(uvs),
    indices: new Uint16Array(indices),
  };
}

import { GpuprofError } from '../errors.ts';
import type { ContextRequest, DriverName, GlContext } from './context.ts';
import { keepFreedMemory } from './heap.ts';

/** Opens a context by driver name; native libraries are loaded only for the driver asked for. */
export async function openContext(driver: DriverName, request: ContextRequest): Promise<GlContext> {
  keepFreedMemory();
  switch (driver) {
    case 'egl':
      return (await import('./egl.ts')).openEglContext(request);
    case 'headless-gl':
      return (await import('./headless-gl.ts')).openHeadlessGlContext(request);
    case 'swiftshader':
      return (await import('./swiftshader.ts')).openSwiftShaderContext(request);
    default:
      throw new GpuprofError('bad-usage', `no driver is called "${driver}"`, {
        hint: 'use headless-gl, egl or swiftshader',
      });
  }
}

import type { Imported, ImportOptions } from '../formats.ts';
import type { ImportTarget } from '../import-target.ts';
import { importXml } from './import-xml.ts';
import { withConverted } from './rdc/convert.ts';

/**
 * Imports a RenderDoc capture: a `.zip.xml` beside its `.zip`, or an `.rdc`, which renderdoccmd converts on the way.
 * Throws GpuprofError `bad-input`.
 */
export async function importRenderDoc(path: string, target: ImportTarget, options: ImportOptions): Promise<Imported> {
  if (/\.xml$/i.test(path)) return importXml(path, target, options);
  return withConverted(path, (xml) => importXml(xml, target, options));
}

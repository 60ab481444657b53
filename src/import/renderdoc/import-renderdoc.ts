import { GpuprofError } from '../../errors.ts';
import type { Imported, ImportOptions } from '../formats.ts';
import type { ImportTarget } from '../import-target.ts';
import { importXml } from './import-xml.ts';

/** Imports a RenderDoc capture. Throws GpuprofError `bad-input`. */
export async function importRenderDoc(path: string, target: ImportTarget, options: ImportOptions): Promise<Imported> {
  if (/\.xml$/i.test(path)) return importXml(path, target, options);
  throw new GpuprofError('bad-input', `${path} has to be converted first`, {
    hint: `renderdoccmd convert -f ${path} -o ${path.replace(/\.rdc$/i, '')}.zip.xml -c zip.xml`,
  });
}

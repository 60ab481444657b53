const captures = ['.cap', '.trace', '.zip.xml', '.rdc'];
const programs = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts'];

/** How the files end that an argument takes, by command and argument; with no ending any file will do. */
export const argumentFiles: Readonly<Partial<Record<string, readonly string[]>>> = {
  'gpuprof replay file': captures,
  'gpuprof record page page': ['.html', '.htm'],
  'gpuprof record node script': programs,
  'gpuprof record node args': [],
  'gpuprof record gltf model': ['.glb', '.gltf'],
  'gpuprof import file': captures.filter((ending) => ending !== '.cap'),
  'gpuprof screenshot file': captures,
  'gpuprof view file': [...captures, '.html', '.json'],
  'gpuprof compare base': [...captures, '.json'],
  'gpuprof compare new': [...captures, '.json'],
  'gpuprof info file': captures,
  'gpuprof dump file': captures,
  'gpuprof gate config': ['.json', ...programs],
  'gpuprof merge result': ['.json'],
  'gpuprof qrhi file': [],
};

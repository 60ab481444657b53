/** The package ships no types; only the decoder's factory is used, and gltf-transform takes it as it is. */
declare module 'draco3dgltf' {
  const draco: { createDecoderModule(): Promise<unknown> };
  export default draco;
}

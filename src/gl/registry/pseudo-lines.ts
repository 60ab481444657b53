/**
 * Calls that GL has no command for, in the format of command-lines.ts. The replayer performs them; see capture/FORMAT.md,
 * "Pseudo-calls". Pixels are tightly packed, bottom row first, and set every sample.
 */
export const pseudoLines = `
gpuprofCanvasContents||gpuprof|void|aspect enum|width i32|height i32|format enum:PixelFormat|type enum:PixelType|pixels data:u8
gpuprofCanvasSize||gpuprof|void|width i32|height i32
gpuprofRenderbufferContents||gpuprof|void|renderbuffer object:renderbuffer|aspect enum|width i32|height i32|format enum:PixelFormat|type enum:PixelType|pixels data:u8
gpuprofShaderStorageBlockBinding||gpuprof|void|program object:program|name string|binding u32
gpuprofUniformBlockBinding||gpuprof|void|program object:program|name string|binding u32
`;

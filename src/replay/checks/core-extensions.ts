/** Extensions of OpenGL ES whose content later versions and desktop OpenGL have without naming them. */

type Version = readonly [major: number, minor: number];

interface Core {
  /** The OpenGL ES version that took it in. */
  readonly es?: Version;
  /** The desktop OpenGL version that has it. */
  readonly gl?: Version;
}

/** By ES version and desktop version (`-` for never), from the ES and GL specifications' lists of new features. */
const lines = `
3.0 3.0 OES_element_index_uint OES_vertex_array_object OES_depth_texture OES_packed_depth_stencil OES_rgb8_rgba8
3.0 3.0 OES_depth24 OES_depth32 OES_fbo_render_mipmap OES_texture_3D OES_texture_npot OES_standard_derivatives
3.0 3.0 OES_texture_half_float OES_texture_half_float_linear OES_texture_float OES_mapbuffer OES_required_internalformat
3.0 3.0 EXT_blend_minmax EXT_sRGB EXT_frag_depth EXT_draw_buffers EXT_shader_texture_lod EXT_texture_rg
3.0 3.0 EXT_texture_storage EXT_occlusion_query_boolean EXT_map_buffer_range EXT_discard_framebuffer
3.0 3.0 EXT_texture_type_2_10_10_10_REV EXT_unpack_subimage
3.0 3.1 NV_framebuffer_blit NV_framebuffer_multisample ANGLE_framebuffer_blit ANGLE_framebuffer_multisample
3.0 3.1 ANGLE_instanced_arrays EXT_instanced_arrays EXT_draw_instanced NV_instanced_arrays NV_draw_instanced
3.0 3.0 ANGLE_depth_texture KHR_parallel_shader_compile EXT_disjoint_timer_query
3.2 3.0 EXT_color_buffer_float EXT_color_buffer_half_float
3.2 4.3 KHR_debug KHR_robustness OES_copy_image EXT_copy_image
3.2 4.0 OES_draw_buffers_indexed EXT_draw_buffers_indexed OES_sample_shading OES_sample_variables
3.2 4.0 OES_shader_multisample_interpolation OES_texture_cube_map_array EXT_texture_cube_map_array
3.2 4.0 OES_tessellation_shader EXT_tessellation_shader OES_gpu_shader5 EXT_gpu_shader5
3.2 3.2 OES_draw_elements_base_vertex EXT_draw_elements_base_vertex OES_geometry_shader EXT_geometry_shader
3.2 3.2 OES_texture_storage_multisample_2d_array OES_texture_stencil8
3.2 3.1 OES_texture_buffer EXT_texture_buffer OES_texture_border_clamp EXT_texture_border_clamp
3.2 4.3 EXT_shader_io_blocks OES_shader_io_blocks OES_shader_image_atomic
- 3.0 EXT_float_blend OES_texture_float_linear EXT_clip_cull_distance APPLE_clip_distance ANGLE_clip_cull_distance EXT_depth_clamp
- 3.2 EXT_provoking_vertex ANGLE_provoking_vertex
- 3.0 EXT_texture_norm16 EXT_render_snorm EXT_sRGB_write_control EXT_polygon_mode NV_polygon_mode ANGLE_polygon_mode
- 3.0 EXT_texture_compression_rgtc EXT_texture_mirror_clamp_to_edge
- 4.2 EXT_texture_compression_bptc EXT_base_instance ANGLE_base_vertex_base_instance
- 4.5 EXT_clip_control
- 3.3 EXT_blend_func_extended
- 4.3 OES_compressed_ETC1_RGB8_texture
3.1 4.3 ANGLE_stencil_texturing
- 4.6 EXT_texture_filter_anisotropic EXT_polygon_offset_clamp
`;

const cores = new Map<string, Core>();
const version = (text: string): Version | undefined => {
  const [major, minor] = text.split('.').map(Number);
  return text === '-' ? undefined : [major, minor];
};
for (const line of lines.trim().split('\n')) {
  const [es, gl, ...names] = line.split(' ');
  for (const name of names) {
    const [inEs, inGl] = [version(es), version(gl)];
    cores.set(`GL_${name}`, { ...(inEs && { es: inEs }), ...(inGl && { gl: inGl }) });
  }
}

/** The core versions that have what an extension brings; undefined when none has. */
export const inCore = (extension: string): Core | undefined => cores.get(extension);

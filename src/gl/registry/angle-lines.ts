/**
 * Commands that ANGLE offers and the Khronos registry does not list, in the format of command-lines.ts.
 * Source: ANGLE's extension specifications (ANGLE_request_extension, ANGLE_multi_draw,
 * ANGLE_base_vertex_base_instance, ANGLE_provoking_vertex, OES/WEBGL lose context).
 */
export const angleLines = `
glDrawArraysInstancedBaseInstanceANGLE|glDrawArraysInstancedBaseInstance|GL_ANGLE_base_vertex_base_instance|void|mode enum:PrimitiveType|first i32|count i32|instanceCount i32|baseInstance u32
glDrawElementsInstancedBaseVertexBaseInstanceANGLE|glDrawElementsInstancedBaseVertexBaseInstance|GL_ANGLE_base_vertex_base_instance|void|mode enum:PrimitiveType|count i32|type enum:DrawElementsType|indices data:u8|instanceCount i32|baseVertex i32|baseInstance u32
glMultiDrawArraysANGLE|glMultiDrawArrays|GL_ANGLE_multi_draw|void|mode enum:PrimitiveType|firsts data:i32|counts data:i32|drawcount i32
glMultiDrawArraysInstancedANGLE||GL_ANGLE_multi_draw|void|mode enum:PrimitiveType|firsts data:i32|counts data:i32|instanceCounts data:i32|drawcount i32
glMultiDrawArraysInstancedBaseInstanceANGLE||GL_ANGLE_base_vertex_base_instance|void|mode enum:PrimitiveType|firsts data:i32|counts data:i32|instanceCounts data:i32|baseInstances data:u32|drawcount i32
glMultiDrawElementsANGLE|glMultiDrawElements|GL_ANGLE_multi_draw|void|mode enum:PrimitiveType|counts data:i32|type enum:DrawElementsType|indices data:pointer|drawcount i32
glMultiDrawElementsInstancedANGLE||GL_ANGLE_multi_draw|void|mode enum:PrimitiveType|counts data:i32|type enum:DrawElementsType|indices data:pointer|instanceCounts data:i32|drawcount i32
glMultiDrawElementsInstancedBaseVertexBaseInstanceANGLE||GL_ANGLE_base_vertex_base_instance|void|mode enum:PrimitiveType|counts data:i32|type enum:DrawElementsType|indices data:pointer|instanceCounts data:i32|baseVertices data:i32|baseInstances data:u32|drawcount i32
glProvokingVertexANGLE|glProvokingVertex|GL_ANGLE_provoking_vertex|void|provokeMode enum:VertexProvokingMode
glRequestExtensionANGLE||GL_ANGLE_request_extension|void|name string
`;

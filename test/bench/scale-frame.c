/* The frame of scale-captures.ts as a program, for apitrace to trace: scale-frame DRAWS. */
#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <GLES3/gl3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MATERIALS = 8, DRAWS_OF_GROUP = 100, DRAWS_OF_PART = 1000 };

static const char *sources[2] = {
    "#version 300 es\n"
    "layout(location = 0) in vec2 corner;\n"
    "uniform mat4 view;\n"
    "uniform vec4 place;\n"
    "uniform float size;\n"
    "void main() { gl_Position = view * vec4(corner * size + place.xy, 0, 1); }\n",
    "#version 300 es\n"
    "precision mediump float;\n"
    "uniform vec4 colour;\n"
    "uniform sampler2D image;\n"
    "out vec4 result;\n"
    "void main() { result = colour * texture(image, vec2(0.5)); }\n"};
static const char *names[5] = {"view", "colour", "place", "size", "image"};
static const GLfloat identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static const GLfloat corners[6] = {0, 0, 1, 0, 0, 1};

static GLuint programs[MATERIALS], arrays[MATERIALS], textures[MATERIALS];
static GLint locations[MATERIALS][5];

static void scene(void) {
  static const GLenum kinds[2] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER};
  for (int at = 0; at < MATERIALS; at++) {
    GLuint program = glCreateProgram(), buffer;
    GLubyte texels[64];
    for (int stage = 0; stage < 2; stage++) {
      GLuint shader = glCreateShader(kinds[stage]);
      glShaderSource(shader, 1, &sources[stage], NULL);
      glCompileShader(shader);
      glAttachShader(program, shader);
    }
    glLinkProgram(program);
    for (int name = 0; name < 5; name++) locations[at][name] = glGetUniformLocation(program, names[name]);
    programs[at] = program;
    glGenVertexArrays(1, &arrays[at]);
    glBindVertexArray(arrays[at]);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    memset(texels, 255 - at, sizeof texels);
    glGenTextures(1, &textures[at]);
    glBindTexture(GL_TEXTURE_2D, textures[at]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
  }
}

static void draw(int index) {
  int at = index % MATERIALS;
  GLfloat colour[4] = {(index % 13) / 13.0f, (index % 7) / 7.0f, 1, 1};
  glUseProgram(programs[at]);
  glBindVertexArray(arrays[at]);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, textures[at]);
  glUniformMatrix4fv(locations[at][0], 1, GL_FALSE, identity);
  glUniform4fv(locations[at][1], 1, colour);
  glUniform4f(locations[at][2], (index % 97) / 97.0f * 2 - 1, (index % 89) / 89.0f * 2 - 1, 0, 0);
  glUniform1f(locations[at][3], 0.02f);
  glUniform1i(locations[at][4], 0);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

int main(int count, char **arguments) {
  static const EGLint config_wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT,
                                         EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8, EGL_NONE};
  static const EGLint surface_wanted[] = {EGL_WIDTH, 256, EGL_HEIGHT, 256, EGL_NONE};
  static const EGLint context_wanted[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
  int draws = count > 1 ? atoi(arguments[1]) : 1000;
  EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  EGLConfig config;
  EGLint found = 0;
  if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API) ||
      !eglChooseConfig(display, config_wanted, &config, 1, &found) || found == 0) {
    fprintf(stderr, "no EGL\n");
    return 1;
  }
  EGLSurface surface = eglCreatePbufferSurface(display, config, surface_wanted);
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_wanted);
  if (!eglMakeCurrent(display, surface, surface, context)) return 1;
  PFNGLPUSHGROUPMARKEREXTPROC push = (PFNGLPUSHGROUPMARKEREXTPROC)eglGetProcAddress("glPushGroupMarkerEXT");
  PFNGLPOPGROUPMARKEREXTPROC pop = (PFNGLPOPGROUPMARKEREXTPROC)eglGetProcAddress("glPopGroupMarkerEXT");
  scene();
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  for (int index = 0; index < draws; index++) {
    char name[32];
    if (index % DRAWS_OF_PART == 0) {
      snprintf(name, sizeof name, "part %d", index / DRAWS_OF_PART + 1);
      push(0, name);
    }
    if (index % DRAWS_OF_GROUP == 0) {
      snprintf(name, sizeof name, "group %d", index / DRAWS_OF_GROUP + 1);
      push(0, name);
    }
    draw(index);
    if ((index + 1) % DRAWS_OF_GROUP == 0) pop();
    if ((index + 1) % DRAWS_OF_PART == 0) pop();
  }
  eglSwapBuffers(display, surface);
  eglTerminate(display);
  return 0;
}

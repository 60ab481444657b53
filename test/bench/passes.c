/*
 * Four passes of 500 draws, which a software renderer finds of very different weight. passes FRAMES: times each pass with a
 * finish at its edges and prints milliseconds a frame; without FRAMES it draws two frames, for apitrace to trace.
 */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SIZE = 512, DRAWS = 500, DRAWS_OF_BATCH = 100, PASSES = 4 };

static const char *const names[PASSES] = {"Opaque", "Transparent", "PostFX", "UI"};
static const char *const vertex =
    "#version 330 core\n"
    "layout(location = 0) in vec2 corner; uniform vec4 place; out vec2 at;\n"
    "void main() { at = corner; gl_Position = vec4(corner * place.zw + place.xy, 0, 1); }\n";
static const char *const plain =
    "#version 330 core\n"
    "in vec2 at; uniform vec4 colour; out vec4 result;\n"
    "void main() { result = colour * vec4(at, 1, 1); }\n";
static const char *const heavy =
    "#version 330 core\n"
    "in vec2 at; uniform vec4 colour; out vec4 result;\n"
    "void main() {\n"
    "  float sum = 0;\n"
    "  for (int i = 0; i < 24; i++) sum += sin(at.x * float(i)) * cos(at.y * float(i));\n"
    "  result = colour * vec4(sum, at, 1);\n"
    "}\n";

static GLuint programs[2], target;
static double spentMs[PASSES];
static int isTimed;

static double nowMs(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static GLuint program(const char *fragment) {
  const char *const sources[2] = {vertex, fragment};
  static const GLenum kinds[2] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER};
  GLuint made = glCreateProgram();
  for (int stage = 0; stage < 2; stage++) {
    GLuint shader = glCreateShader(kinds[stage]);
    glShaderSource(shader, 1, &sources[stage], NULL);
    glCompileShader(shader);
    glAttachShader(made, shader);
  }
  glLinkProgram(made);
  return made;
}

static void scene(void) {
  static const GLfloat corners[8] = {-1, -1, 1, -1, -1, 1, 1, 1};
  GLuint array, buffer, texture;
  programs[0] = program(plain);
  programs[1] = program(heavy);
  glGenVertexArrays(1, &array);
  glBindVertexArray(array);
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, SIZE, SIZE);
  glGenFramebuffers(1, &target);
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  glViewport(0, 0, SIZE, SIZE);
}

static void pass(int index) {
  GLuint used = programs[index == 2];
  GLfloat size = index == 2 ? 0.06f : 0.03f;
  GLint place, colour;
  double beginMs = 0;
  if (isTimed) {
    glFinish();
    beginMs = nowMs();
  }
  glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, names[index]);
  glBindFramebuffer(GL_FRAMEBUFFER, index == 3 ? 0 : target);
  if (index == 0 || index == 3) glClear(GL_COLOR_BUFFER_BIT);
  glUseProgram(used);
  place = glGetUniformLocation(used, "place");
  colour = glGetUniformLocation(used, "colour");
  (index == 1 ? glEnable : glDisable)(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  for (int draw = 0; draw < DRAWS; draw++) {
    if (draw % DRAWS_OF_BATCH == 0) {
      char name[16];
      snprintf(name, sizeof name, "Batch %d", draw / DRAWS_OF_BATCH);
      glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, name);
    }
    glUniform4f(place, draw * 37 % 500 / 250.0f - 1, draw * 91 % 500 / 250.0f - 1, size, size);
    glUniform4f(colour, draw % 7 / 7.0f, draw % 5 / 5.0f, draw % 3 / 3.0f, 1);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    if ((draw + 1) % DRAWS_OF_BATCH == 0) glPopDebugGroup();
  }
  glPopDebugGroup();
  if (isTimed) {
    glFinish();
    spentMs[index] += nowMs() - beginMs;
  }
}

int main(int count, char **arguments) {
  static const EGLint config_wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                         EGL_RED_SIZE, 8, EGL_NONE};
  static const EGLint surface_wanted[] = {EGL_WIDTH, SIZE, EGL_HEIGHT, SIZE, EGL_NONE};
  static const EGLint context_wanted[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5,
                                          EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  int frames = count > 1 ? atoi(arguments[1]) : 0;
  EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  EGLConfig config;
  EGLint found = 0;
  if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
      !eglChooseConfig(display, config_wanted, &config, 1, &found) || found == 0) {
    fprintf(stderr, "no EGL\n");
    return 1;
  }
  EGLSurface surface = eglCreatePbufferSurface(display, config, surface_wanted);
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_wanted);
  if (!eglMakeCurrent(display, surface, surface, context)) return 1;
  scene();
  /* The first frame compiles. */
  for (int frame = 0; frame < (frames ? frames + 1 : 2); frame++) {
    isTimed = frames > 0 && frame > 0;
    for (int index = 0; index < PASSES; index++) pass(index);
    if (frames == 0) eglSwapBuffers(display, surface);
  }
  for (int index = 0; index < PASSES && frames > 0; index++) printf("%.3f\n", spentMs[index] / frames);
  eglTerminate(display);
  return 0;
}

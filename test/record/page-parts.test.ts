import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { signatureOf } from '../../src/gl/command-table.ts';
import { commandOf } from '../../src/record/encode/webgl-commands.ts';
import { LoopbackServer } from '../../src/record/page/loopback-server.ts';
import { webglSignatures } from '../../src/record/page/webgl-signatures.ts';
import { withRecorder } from '../../src/record/page/with-recorder.ts';
import { tempFolder } from '../helpers/files.ts';

/** Methods of WebGL 1 and 2 and of every extension that bring a command about; some of each kind. */
const methods =
  `activeTexture beginQuery beginTransformFeedback bindBufferRange bindSampler bindVertexArray blendFuncSeparate
blitFramebuffer bufferSubData clearBufferfi clearDepth compressedTexImage3D copyBufferSubData copyTexSubImage3D depthRange
drawArraysInstanced drawBuffers drawElementsInstanced drawRangeElements fenceSync framebufferTextureLayer generateMipmap
invalidateSubFramebuffer pauseTransformFeedback readBuffer renderbufferStorageMultisample sampleCoverage texStorage3D
transformFeedbackVaryings uniform4uiv uniformBlockBinding uniformMatrix4x3fv vertexAttribDivisor vertexAttribI4uiv waitSync
drawArraysInstancedANGLE drawElementsInstancedANGLE vertexAttribDivisorANGLE createVertexArrayOES bindVertexArrayOES deleteVertexArrayOES
deleteTexture deleteFramebuffer
drawBuffersWEBGL beginQueryEXT endQueryEXT queryCounterEXT deleteQueryEXT clipControlEXT polygonModeWEBGL polygonOffsetClampEXT
provokingVertexWEBGL framebufferTextureMultiviewOVR enableiOES disableiOES blendEquationiOES blendEquationSeparateiOES blendFunciOES
blendFuncSeparateiOES colorMaskiOES multiDrawArraysWEBGL multiDrawElementsWEBGL multiDrawArraysInstancedWEBGL
multiDrawElementsInstancedWEBGL drawArraysInstancedBaseInstanceWEBGL drawElementsInstancedBaseVertexBaseInstanceWEBGL
multiDrawArraysInstancedBaseInstanceWEBGL multiDrawElementsInstancedBaseVertexBaseInstanceWEBGL
pushGroupMarkerEXT popGroupMarkerEXT insertEventMarkerEXT`.split(/\s+/);

test('the signatures that a page gets name the same commands as the whole table', () => {
  const signatures = new Map(webglSignatures().map((signature) => [signature.name, signature]));
  const ofPage = methods.map((method) => [method, commandOf(method, (name) => signatures.get(name))]);
  assert.deepEqual(
    ofPage,
    methods.map((method) => [method, commandOf(method, signatureOf)]),
  );
  assert.ok(JSON.stringify([...signatures.values()]).length < 100_000);
});

interface Reply {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly range: string | undefined;
  readonly text: string;
}

/** Sends a path as it is, which fetch() would tidy up. */
function ask(origin: string, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers, method }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => {
        const { 'content-type': type, 'content-range': range } = response.headers;
        resolve({ status: response.statusCode, type, range, text });
      });
    });
    sent.on('error', reject).end();
  });
}

test('a page’s folder is served, and nothing outside it', async (t) => {
  const folder = await tempFolder(t);
  const site = join(folder, 'site');
  await mkdir(join(site, 'sub'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(site, 'größe #1.mjs'), 'module');
  await writeFile(join(site, 'sub', 'film.webm'), '0123456789');
  await writeFile(join(site, 'empty.json'), '');
  await symlink(join(folder, 'secret.txt'), join(site, 'link.txt'));
  await symlink(join(site, 'sub', 'film.webm'), join(site, 'inside.webm'));
  const server = await LoopbackServer.start(site);
  t.after(() => server.close());
  const { origin } = server;

  const script = await ask(origin, `/${encodeURIComponent('größe #1.mjs')}?query`);
  assert.deepEqual([script.status, script.type, script.text], [200, 'text/javascript; charset=utf-8', 'module']);
  for (const path of [
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/sub/..%2f..%2fsecret.txt',
    '/link.txt',
    '/',
    '/sub',
    '/%',
    '/%00',
    '//etc/passwd',
  ])
    assert.deepEqual(await ask(origin, path).then(({ status, text }) => [path, status, /secret|root:/.test(text)]), [
      path,
      404,
      false,
    ]);
  assert.equal((await ask(origin, '/inside.webm')).text, '0123456789');
  assert.equal((await ask(origin, '/empty.json')).text, '');
  assert.equal((await ask(origin, '/inside.webm', {}, 'DELETE')).status, 405);
  const film = (range: string) =>
    ask(origin, '/sub/film.webm', { range }).then((reply) => [reply.status, reply.range, reply.text]);
  assert.deepEqual(await film('bytes=2-4'), [206, 'bytes 2-4/10', '234']);
  assert.deepEqual(await film('bytes=7-'), [206, 'bytes 7-9/10', '789']);
  assert.deepEqual(await film('bytes=-3'), [206, 'bytes 7-9/10', '789']);
  assert.deepEqual(await film('bytes=10-'), [416, 'bytes */10', '']);
  assert.deepEqual(await film('lines=1'), [200, undefined, '0123456789']);
});

test('the recorder goes before a script, and a directive stays the first thing in it', () => {
  assert.equal(withRecorder('R;', 'go()'), 'R;go()');
  assert.equal(
    withRecorder('R;', "\n// a\n/* b */ 'use strict'; go()"),
    "'use strict';R;\n// a\n/* b */ 'use strict'; go()",
  );
  assert.equal(withRecorder('R;', "go('use strict')"), "R;go('use strict')");
});

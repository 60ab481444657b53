import { constants as c } from '../../gl/webgl2/constants.ts';
import type { Argument } from '../../model/call.ts';
import type { Param, Signature } from '../../model/signature.ts';
import type { Upload } from '../observe/uploads.ts';
import type { SignatureOf } from './call-list.ts';
import { type EncodeContext, type Encoded, type Encoder, int, locationIndex } from './encoding.ts';
import { listEncoders } from './lists.ts';
import { objectEncoders } from './objects.ts';
import { addOddSizeFilter } from './odd-sizes.ts';
import { encodeUpload } from './uploads.ts';
import { commandOf, isQuestion, plainName } from './webgl-commands.ts';

function argument(context: EncodeContext, param: Param, value: unknown): Argument | undefined {
  switch (param.type) {
    case 'object':
      return context.snapshot.id(value);
    case 'location':
      return locationIndex(context, value);
    case 'bool':
      return value ? 1 : 0;
    case 'f32':
    case 'f64':
      return Number(value);
    case 'string':
      return String(value);
    case 'u64':
      return BigInt.asUintN(64, BigInt(int(value)));
    case 'data':
      return { kind: 'offset', offset: int(value) };
    default:
      return int(value);
  }
}

/** The call whose arguments are those of the method, one for one. */
function encodePlain(context: EncodeContext, args: readonly unknown[], signature: Signature): Encoded | null {
  const encoded: Argument[] = [];
  for (const [index, param] of signature.params.entries()) {
    const value = argument(context, param, args[index]);
    if (value === undefined) return null;
    encoded.push(value);
  }
  return () => context.calls.add(signature.name, encoded);
}

const pixelStorei: Encoder = ({ calls }, [name, value], command) =>
  // WebGL's own settings (flip, premultiply) are part of the stored texels.
  int(name) >= c.UNPACK_FLIP_Y_WEBGL ? null : () => calls.add(command, [int(name), int(value)]);

const texParameter: Encoder =
  ({ calls, gl, version, shadows }, [target, name, value], command) =>
  () => {
    calls.add(command, [int(target), int(name), command.endsWith('f') ? Number(value) : int(value)]);
    if (version === 1) addOddSizeFilter(gl, shadows, calls, int(target));
  };

const special: Readonly<Record<string, Encoder>> = {
  ...objectEncoders,
  ...listEncoders,
  pixelStorei,
  texParameteri: texParameter,
  texParameterf: texParameter,
};

/** Turns the calls of a frame into GL calls. */
export class FrameEncoder {
  readonly #context: EncodeContext;
  readonly #signatureOf: SignatureOf;
  readonly #encoders = new Map<string, ((args: readonly unknown[]) => Encoded | null) | null>();
  #width: number;
  #height: number;

  constructor(context: EncodeContext, signatureOf: SignatureOf) {
    this.#context = context;
    this.#signatureOf = signatureOf;
    this.#width = context.gl.drawingBufferWidth;
    this.#height = context.gl.drawingBufferHeight;
  }

  /** To be called before the call is made; the result afterwards, when it raised no error. */
  encode(method: string, args: readonly unknown[], upload: Upload | undefined): Encoded | null {
    this.noteSize();
    if (upload) return encodeUpload(this.#context, upload);
    let encoder = this.#encoders.get(method);
    if (encoder === undefined) {
      encoder = this.#encoderOf(method);
      this.#encoders.set(method, encoder);
    }
    return encoder ? encoder(args) : null;
  }

  #encoderOf(method: string): ((args: readonly unknown[]) => Encoded | null) | null {
    const command = commandOf(method, this.#signatureOf);
    if (command === undefined) {
      if (isQuestion(method)) return null;
      return () => () => this.#context.note(`the frame calls ${method}, which a capture cannot hold`);
    }
    const core = command.slice(2, 3).toLowerCase() + command.slice(3).replace(/ANGLE$/, '');
    const encoder = special[method] ?? special[core] ?? special[plainName(method)];
    if (encoder) return (args) => encoder(this.#context, args, command);
    const signature = this.#signatureOf(command) as Signature;
    return (args) => encodePlain(this.#context, args, signature);
  }

  /** Programs resize their canvas without a GL call: to be called before each, and at the end. */
  noteSize(): void {
    const { gl, calls } = this.#context;
    const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
    if (width === this.#width && height === this.#height) return;
    [this.#width, this.#height] = [width, height];
    calls.add('gpuprofCanvasSize', [width, height]);
  }
}

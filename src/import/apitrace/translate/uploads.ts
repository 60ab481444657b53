/** Pixels that commands read from client memory, as tight texels. */
import type { Argument } from '../../../model/call.ts';
import { GL } from '../../../model/gl-constants.ts';
import { type Box, swapBytes, unpackBitmap, unpackTexels } from '../../../model/pixel-unpack.ts';
import type { Signature } from '../../../model/signature.ts';
import { components, texelBytes, typeBytes } from '../../../model/texel-sizes.ts';
import { type TraceCall, TracePointer, type TraceValue } from '../trace.ts';
import { argumentsFor, offsetArgument } from './arguments.ts';
import { LeftOut, type Session, type Translate } from './session.ts';
import { bytesOf, isList, numberOf } from './values.ts';

const reads =
  /^gl(Bitmap|PolygonStipple|DrawPixels|Color(Sub)?Table|(Convolution|Separable)Filter[12]D|(Multi)?Tex(ture)?(Sub)?Image[1-4]D)([A-Z]+)?$/;
const GL_BITMAP = 0x1a00;
const GL_FLOAT_32_UNSIGNED_INT_24_8_REV = 0x8dad;
const tooShort = 'the trace holds fewer pixels than it takes';

interface Places {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly format: number;
  readonly type: number;
}

function placesOf({ params }: Signature): Places {
  const at = (...names: string[]) => params.findIndex(({ name }) => names.includes(name));
  return {
    width: at('width', 'count'),
    height: at('height'),
    depth: at('depth'),
    format: at('format'),
    type: at('type'),
  };
}

/** A width, height or depth. */
const sizeOf = (value: TraceValue): number => Math.min(Math.max(0, Math.trunc(numberOf(value))) || 0, 2 ** 31);

/** What one call takes, tight: the blob is what lies in client memory from the pointer on. */
function texels(session: Session, blob: Uint8Array, { args }: TraceCall, places: Places): Uint8Array {
  const { unpack } = session.context;
  const size = (at: number) => (at < 0 ? 1 : sizeOf(args[at]));
  const box: Box = { width: size(places.width), height: size(places.height), depth: size(places.depth) };
  const [format, type] = [numberOf(args[places.format]), numberOf(args[places.type])];
  if (type === GL_BITMAP) return bitmap(session, blob, box);
  const pixelBytes = texelBytes(format, type);
  const tight = unpackTexels(blob, box, pixelBytes, unpack.layout, { isVolume: places.depth >= 0 });
  if (!tight) throw new LeftOut(pixelBytes === 0 ? 'its pixels are of a kind that GL does not have' : tooShort);
  if (!unpack.swapsBytes) return tight;
  const element = type === GL_FLOAT_32_UNSIGNED_INT_24_8_REV ? 4 : typeBytes(type);
  return swapBytes(tight, element || pixelBytes / components(format));
}

function bitmap(session: Session, blob: Uint8Array, box: Box): Uint8Array {
  const { layout, isLowestBitFirst } = session.context.unpack;
  const bits = unpackBitmap(blob, box, layout, isLowestBitFirst);
  if (!bits) throw new LeftOut(tooShort);
  return bits;
}

/** Storage can be made without pixels; all else does nothing without. */
const makesStorage = /Image[1-4]D|^glBitmap$/;

function pixels(session: Session, { name }: Signature, unpack: (blob: Uint8Array, call: TraceCall) => Uint8Array) {
  const mayLack = makesStorage.test(name) && !name.includes('SubImage');
  return (value: TraceValue, call: TraceCall): Argument => {
    if (value instanceof Uint8Array) return session.builder.data(unpack(value, call));
    if (isList(value)) return session.builder.data(unpack(bytesOf(value, 'u8'), call));
    if (value !== null && !(value instanceof TracePointer))
      throw new LeftOut('the trace has no pixels where some belong');
    if (session.context.bindings.buffer(GL.PIXEL_UNPACK_BUFFER) !== 0) return offsetArgument(value);
    if ((value === null || value.address === 0) && mayLack) return null;
    if (value === null) throw new LeftOut('it has no pixels');
    throw new LeftOut('it reads memory that the trace does not hold');
  };
}

/** Uploads by glTexImage2D and everything alike; undefined for other commands. */
export function uploadTranslator(session: Session, signature: Signature): Translate | undefined {
  const { name, params } = signature;
  if (name.startsWith('glCompressed')) {
    const data = params.find((param) => param.type === 'data');
    if (!data || !/Image[123]D/.test(name)) return undefined;
    const convert = argumentsFor(session, signature, { [data.name]: pixels(session, signature, (blob) => blob) });
    return (call) => session.emit(signature, convert(call));
  }
  if (!reads.test(name)) return undefined;
  const places = placesOf(signature);
  const ofCall = (blob: Uint8Array, call: TraceCall): Uint8Array => {
    if (name === 'glPolygonStipple') return bitmap(session, blob, { width: 32, height: 32, depth: 1 });
    if (name !== 'glBitmap') return texels(session, blob, call, places);
    const [width, height] = [sizeOf(call.args[0]), sizeOf(call.args[1])];
    return bitmap(session, blob, { width, height, depth: 1 });
  };
  /** The filter's rows and columns are one-dimensional both. */
  const column = (blob: Uint8Array, call: TraceCall) =>
    texels(session, blob, call, { ...places, width: places.height, height: -1 });
  const row = (blob: Uint8Array, call: TraceCall) => texels(session, blob, call, { ...places, height: -1 });
  const isSeparable = name.startsWith('glSeparable');
  const special = Object.fromEntries(
    params
      .filter(({ type }) => type === 'data')
      .map((param) => {
        const unpack = !isSeparable ? ofCall : param.name === 'column' ? column : row;
        return [param.name, pixels(session, signature, unpack)];
      }),
  );
  const convert = argumentsFor(session, signature, special);
  return (call) => session.emit(signature, convert(call));
}

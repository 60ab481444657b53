import type { Bindings } from '../../model/bindings.ts';
import type { Call } from '../../model/call.ts';
import { baseName } from '../../model/gl-constants.ts';
import type { ObjectClass } from '../../model/signature.ts';
import { writes } from '../../model/writes.ts';

const createCommand = /^(Gen(?!erate|Lists|Symbols)|Create(?!Commands|States))/;
const fixesStorage = /^(Tex(ture)?|(Named)?Buffer)Storage/;
const specifies = /^((Compressed|Copy)?Tex(ture)?Image[123]D|Generate(Texture)?Mipmap$)/;
const changesLink = /^(LinkProgram|ProgramBinary|AttachShader|DetachShader)$/;
const parameterOnly = /^(Tex|Texture|Sampler)Parameter/;

/** What one frame makes and changes, gathered call by call. */
export class FrameChanges {
  readonly #created = new Set<string>();
  /** Ids by class; for textures those whose contents change. */
  readonly #written = new Map<ObjectClass, Set<number>>();
  readonly #fixed = new Set<string>();
  /** Textures that get images, perhaps none they had before. */
  readonly specifiedTextures = new Set<number>();
  readonly textureParameters = new Set<number>();
  /** Linked by the frame, or with other shaders attached. */
  readonly linkedPrograms = new Set<number>();
  readonly compiledShaders = new Set<number>();
  setsVertexAttributes = false;

  /** Whether an object existed before the frame, as far as its calls have been seen. */
  existedBefore = (objectClass: string, id: number): boolean => !this.#created.has(`${objectClass}/${id}`);

  /** To be called with each call, the bindings being those before it. */
  observe(call: Call, bindings: Bindings): void {
    const name = baseName(call.signature.name);
    for (const ref of writes(call, bindings)) {
      if (!this.existedBefore(ref.class, ref.id)) continue;
      if (fixesStorage.test(name)) this.#fixed.add(`${ref.class}/${ref.id}`);
      if (ref.class === 'texture' && specifies.test(name)) this.specifiedTextures.add(ref.id);
      if (ref.class === 'texture' && parameterOnly.test(name)) this.textureParameters.add(ref.id);
      else this.#add(ref.class, ref.id);
    }
    if (changesLink.test(name)) this.linkedPrograms.add(Number(call.args[0]));
    if (name === 'CompileShader' || name === 'ShaderSource') this.compiledShaders.add(Number(call.args[0]));
    if (/^VertexAttrib[IL]?[1-4]/.test(name)) this.setsVertexAttributes = true;
    if (createCommand.test(name)) this.#create(call);
  }

  /** Ids of a class that the frame changes and that existed before it. */
  written(objectClass: ObjectClass): ReadonlySet<number> {
    return this.#written.get(objectClass) ?? new Set();
  }

  /** Whether the frame gives a texture or a buffer that existed before it immutable storage. */
  fixesStorage(objectClass: ObjectClass, id: number): boolean {
    return this.#fixed.has(`${objectClass}/${id}`);
  }

  #add(objectClass: ObjectClass, id: number): void {
    const ids = this.#written.get(objectClass) ?? new Set();
    ids.add(id);
    this.#written.set(objectClass, ids);
  }

  #create(call: Call): void {
    const { signature, args, result } = call;
    for (const [index, param] of signature.params.entries())
      if (param.type === 'objects')
        for (const id of args[index] as readonly number[]) this.#created.add(`${param.objectClass}/${id}`);
    if (signature.result.type === 'object') this.#created.add(`${signature.result.objectClass}/${result}`);
  }
}

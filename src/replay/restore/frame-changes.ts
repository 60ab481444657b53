import type { Bindings } from '../../model/bindings.ts';
import type { Call } from '../../model/call.ts';
import { baseName } from '../../model/gl-constants.ts';
import { perSignature } from '../../model/per-signature.ts';
import type { ObjectClass, Signature } from '../../model/signature.ts';
import { mayWrite, setsUniforms, writes, writesByBindings } from '../../model/writes.ts';

const createCommand = /^(Gen(?!erate|Lists|Symbols)|Create(?!Commands|States))/;
const fixesStorage = /^(Tex(ture)?|(Named)?Buffer)Storage/;
const specifies = /^((Compressed|Copy)?Tex(ture)?Image[123]D|Generate(Texture)?Mipmap$)/;
const changesLink = /^(LinkProgram|ProgramBinary|AttachShader|DetachShader)$/;
const parameterOnly = /^(Tex|Texture|Sampler)Parameter/;

const factsOf = perSignature((signature) => {
  const name = baseName(signature.name);
  const facts = {
    byBindings: writesByBindings(signature),
    setsUniforms: setsUniforms(signature),
    fixesStorage: fixesStorage.test(name),
    specifies: specifies.test(name),
    parameterOnly: parameterOnly.test(name),
    changesLink: changesLink.test(name),
    compiles: name === 'CompileShader' || name === 'ShaderSource',
    setsAttribute: /^VertexAttrib[IL]?[1-4]/.test(name),
    creates: createCommand.test(name),
  };
  return { ...facts, any: facts.changesLink || facts.compiles || facts.setsAttribute || facts.creates };
});

interface Seen {
  bindings: Bindings | null;
  version: number;
}

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
  /** Display lists that were not there before. */
  readonly newLists = new Set<number>();
  readonly #changedLists = new Set<number>();
  readonly #calledLists = new Set<number>();
  /** Those from before the frame, by whether it had called them by then. */
  readonly #deletedLists = new Map<number, boolean>();
  readonly #draws: Seen = { bindings: null, version: 0 };
  readonly #uniforms: Seen = { bindings: null, version: 0 };

  /** Whether an object existed before the frame, as far as its calls have been seen. */
  existedBefore = (objectClass: string, id: number): boolean => !this.#created.has(`${objectClass}/${id}`);

  /** As {@link observe} for a call that display lists are made, called or deleted by. */
  observeLists({ signature, args }: Call, { lists }: Bindings): void {
    lists.called = this.#calledLists;
    const [first, count] = args.map(Number);
    if (signature.name === 'glDeleteLists') {
      for (const name of lists.names())
        if (name >= first && name < first + count && this.existedBefore('displayList', name))
          this.#deletedLists.set(name, this.#calledLists.delete(name));
    } else if (signature.name === 'glNewList') {
      if (this.#created.has(`displayList/${first}`)) return;
      if (!lists.has(first) && !this.#deletedLists.has(first)) {
        this.#created.add(`displayList/${first}`);
        this.newLists.add(first);
      } else if (this.#calledLists.has(first) || this.#deletedLists.get(first)) this.#changedLists.add(first);
      this.#deletedLists.delete(first);
    }
  }

  /** Display lists that the frame calls and then makes anew, or calls when it has deleted them: what they held is lost. */
  lostLists(): number[] {
    const called = [...this.#deletedLists.keys()].filter((name) => this.#calledLists.has(name));
    return [...new Set([...this.#changedLists, ...called])];
  }

  /** As {@link observe} for a call that sets uniforms. */
  setsUniforms(bindings: Bindings): void {
    if (this.#uniforms.bindings === bindings && this.#uniforms.version === bindings.version) return;
    this.#uniforms.bindings = bindings;
    this.#uniforms.version = bindings.version;
    const program = bindings.activeProgram();
    if (program !== 0 && this.existedBefore('program', program)) this.#add('program', program);
  }

  /** Whether calls of this signature make or change anything; others need not be observed. */
  static follows = (signature: Signature): boolean => mayWrite(signature) || factsOf(signature).any;

  /** To be called with each call, the bindings being those before it. */
  observe(call: Call, bindings: Bindings): void {
    const { signature } = call;
    const facts = factsOf(signature);
    if (facts.byBindings) {
      // The same as the last such call's.
      const seen = facts.setsUniforms ? this.#uniforms : this.#draws;
      if (seen.bindings === bindings && seen.version === bindings.version) return;
      seen.bindings = bindings;
      seen.version = bindings.version;
    }
    for (const ref of writes(call, bindings)) {
      if (!this.existedBefore(ref.class, ref.id)) continue;
      if (facts.fixesStorage) this.#fixed.add(`${ref.class}/${ref.id}`);
      if (ref.class === 'texture' && facts.specifies) this.specifiedTextures.add(ref.id);
      if (ref.class === 'texture' && facts.parameterOnly) this.textureParameters.add(ref.id);
      else this.#add(ref.class, ref.id);
    }
    if (!facts.any) return;
    if (facts.changesLink) this.linkedPrograms.add(Number(call.args[0]));
    if (facts.compiles) this.compiledShaders.add(Number(call.args[0]));
    if (facts.setsAttribute) this.setsVertexAttributes = true;
    if (facts.creates) this.#create(call);
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

import type { Bindings } from '../bindings.ts';
import type { Argument } from '../call.ts';
import { GL } from '../gl-constants.ts';
import { type BindingCommand, type BindingCommands, deleting, eachOf, number, setOrDelete } from './binding-command.ts';

const attribPointer: BindingCommand = (b, a) => {
  const array = b.vertexArrayBindings();
  array.attributeBinding.delete(number(a[0]));
  setOrDelete(array.buffers, number(a[0]), b.buffer(GL.ARRAY_BUFFER));
};

const arrayAttribOffset: BindingCommand = (b, a) => {
  const array = b.vertexArrayBindings(number(a[0]));
  array.attributeBinding.delete(number(a[2]));
  setOrDelete(array.buffers, number(a[2]), number(a[1]));
};

const attribBinding =
  (array: (b: Bindings, a: readonly Argument[]) => number, first: number): BindingCommand =>
  (b, a) => {
    const bindings = b.vertexArrayBindings(array(b, a)).attributeBinding;
    if (a[first] === a[first + 1]) bindings.delete(number(a[first]));
    else bindings.set(number(a[first]), number(a[first + 1]));
  };

const currentArray = (b: Bindings): number => b.vertexArray;
const givenArray = (_: Bindings, a: readonly Argument[]): number => number(a[0]);

const vertexBuffer =
  (array: (b: Bindings, a: readonly Argument[]) => number, first: number): BindingCommand =>
  (b, a) =>
    setOrDelete(b.vertexArrayBindings(array(b, a)).buffers, number(a[first]), number(a[first + 1]));

const vertexBuffers =
  (array: (b: Bindings, a: readonly Argument[]) => number, first: number): BindingCommand =>
  (b, a) => {
    const { buffers } = b.vertexArrayBindings(array(b, a));
    eachOf(a[first + 1], a[first + 2], (id, index) => setOrDelete(buffers, number(a[first]) + index, id));
  };

const enable =
  (array: (b: Bindings, a: readonly Argument[]) => number, at: number, on: boolean): BindingCommand =>
  (b, a) => {
    const { enabled } = b.vertexArrayBindings(array(b, a));
    if (on) enabled.add(number(a[at]));
    else enabled.delete(number(a[at]));
  };

/** Vertex arrays, current and named. */
export const vertexArrayCommands: BindingCommands = {
  BindVertexArray: (b, a) => {
    b.vertexArray = number(a[0]);
  },
  DeleteVertexArrays: deleting((b, id) => {
    if (b.vertexArray === id) b.vertexArray = 0;
  }),
  VertexAttribPointer: attribPointer,
  VertexAttribIPointer: attribPointer,
  VertexAttribLPointer: attribPointer,
  VertexArrayVertexAttribOffset: arrayAttribOffset,
  VertexArrayVertexAttribIOffset: arrayAttribOffset,
  VertexArrayVertexAttribLOffset: arrayAttribOffset,
  // Both bind the attribute to its own point again (OpenGL 4.6, section 10.3.4).
  VertexAttribDivisor: (b, a) => {
    b.vertexArrayBindings().attributeBinding.delete(number(a[0]));
  },
  VertexArrayVertexAttribDivisor: (b, a) => {
    b.vertexArrayBindings(number(a[0])).attributeBinding.delete(number(a[1]));
  },
  VertexAttribBinding: attribBinding(currentArray, 0),
  VertexArrayAttribBinding: attribBinding(givenArray, 1),
  VertexArrayVertexAttribBinding: attribBinding(givenArray, 1),
  BindVertexBuffer: vertexBuffer(currentArray, 0),
  VertexArrayVertexBuffer: vertexBuffer(givenArray, 1),
  VertexArrayBindVertexBuffer: vertexBuffer(givenArray, 1),
  BindVertexBuffers: vertexBuffers(currentArray, 0),
  VertexArrayVertexBuffers: vertexBuffers(givenArray, 1),
  VertexArrayElementBuffer: (b, a) => {
    b.vertexArrayBindings(number(a[0])).elementBuffer = number(a[1]);
  },
  EnableVertexAttribArray: enable(currentArray, 0, true),
  DisableVertexAttribArray: enable(currentArray, 0, false),
  EnableVertexArrayAttrib: enable(givenArray, 1, true),
  DisableVertexArrayAttrib: enable(givenArray, 1, false),
};

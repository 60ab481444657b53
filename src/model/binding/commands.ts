import { getOrAdd } from '../get-or-add.ts';
import { baseName } from '../gl-constants.ts';
import { attributeStackCommands } from './attribute-stacks.ts';
import { type BindingCommand, type BindingCommands, deleting, number, setOrDelete } from './binding-command.ts';
import { bufferCommands } from './buffers.ts';
import { attachingCommand, framebufferCommands } from './framebuffers.ts';
import { textureCommands } from './textures.ts';
import { vertexArrayCommands } from './vertex-arrays.ts';

const feedback =
  (change: { active?: boolean; paused?: boolean }): BindingCommand =>
  (b) => {
    Object.assign(b.transformFeedbackBindings(), change);
  };

const programCommands: BindingCommands = {
  BindProgram: (b, a) => {
    setOrDelete(b.assemblyPrograms, number(a[0]), number(a[1]));
    b.assemblyTargets.set(number(a[1]), number(a[0]));
  },
  UseProgram: (b, a) => {
    b.program = number(a[0]);
  },
  BindProgramPipeline: (b, a) => {
    b.pipeline = number(a[0]);
  },
  ActiveShaderProgram: (b, a) => setOrDelete(b.pipelineActive, number(a[0]), number(a[1])),
  UseProgramStages: (b, a) => {
    const stages = getOrAdd(b.pipelineStages, number(a[0]), () => new Map());
    for (let bit = 1; bit <= 0x20; bit *= 2) if (number(a[1]) & bit) setOrDelete(stages, bit, number(a[2]));
  },
  DeleteProgramPipelines: deleting((b, id) => {
    if (b.pipeline === id) b.pipeline = 0;
  }),
};

const feedbackCommands: BindingCommands = {
  BindTransformFeedback: (b, a) => {
    b.transformFeedback = number(a[1]);
  },
  BeginTransformFeedback: feedback({ active: true, paused: false }),
  EndTransformFeedback: feedback({ active: false, paused: false }),
  PauseTransformFeedback: feedback({ paused: true }),
  ResumeTransformFeedback: feedback({ paused: false }),
  DeleteTransformFeedbacks: deleting((b, id) => {
    if (b.transformFeedback === id) b.transformFeedback = 0;
  }),
};

const queryCommands: BindingCommands = {
  BeginQuery: (b, a) => b.setActiveQuery(number(a[0]), 0, number(a[1])),
  BeginQueryIndexed: (b, a) => b.setActiveQuery(number(a[0]), number(a[1]), number(a[2])),
  EndQuery: (b, a) => b.setActiveQuery(number(a[0]), 0, 0),
  EndQueryIndexed: (b, a) => b.setActiveQuery(number(a[0]), number(a[1]), 0),
};

const commands: BindingCommands = {
  Begin: (b) => {
    b.insideBegin = true;
  },
  End: (b) => {
    b.insideBegin = false;
  },
  ...attributeStackCommands,
  ...bufferCommands,
  ...textureCommands,
  ...framebufferCommands,
  ...programCommands,
  ...vertexArrayCommands,
  ...feedbackCommands,
  ...queryCommands,
};

/** What the command of this GL name does to the bindings, or undefined when it does nothing to them. */
export function bindingCommand(name: string): BindingCommand | undefined {
  const base = baseName(name);
  return Object.hasOwn(commands, base) ? commands[base] : attachingCommand(base);
}

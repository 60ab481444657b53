/** What memory is for, as far as the `memory` counters tell it apart. */
export const memoryClasses = ['vertex', 'index', 'uniform', 'texture', 'target', 'storage'] as const;
export type MemoryClass = (typeof memoryClasses)[number];

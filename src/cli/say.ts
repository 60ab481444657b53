/** What a command tells on standard error, beside its data: whatever is in it, one line that no terminal obeys. */
import { printable } from '../report/printable.ts';

export const sayLine = (text: string): void => void process.stderr.write(`${printable(text)}\n`);

/** With the program's name in front. */
export const say = (text: string): void => sayLine(`gpuprof: ${text}`);

/** A command line in a process of its own: started by supervise.ts, ends with it. */
import { endWithParent } from '../../gl/host-process.ts';
import { main } from '../main.ts';
import { openNotebook } from './notebook.ts';

endWithParent();
process.on('disconnect', () => process.exit());
process.channel?.unref();
await openNotebook();
process.exitCode = await main(process.argv.slice(2), { isIsolated: true });

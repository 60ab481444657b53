/** What hostile input must not make the program do, and whether it did. */
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/** An object or a prototype, and functions of it that reach out of the process. */
const forbidden: readonly (readonly [what: string, owner: object, names: readonly string[]])[] = [
  ['started a process', childProcess.ChildProcess.prototype, ['spawn']],
  ['started a process', childProcess, ['spawnSync', 'execSync', 'execFileSync']],
  ['touched the network', net.Socket.prototype, ['connect']],
  ['touched the network', net.Server.prototype, ['listen']],
  ['touched the network', dgram.Socket.prototype, ['bind', 'connect', 'send']],
  ['touched the network', dns, ['lookup', 'resolve', 'resolve4', 'resolve6']],
  ['touched the network', dns.promises, ['lookup', 'resolve', 'resolve4', 'resolve6']],
];

const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype];
const membersOf = (): string => prototypes.map((one) => Reflect.ownKeys(one).map(String).join()).join(';');

/** These make functions of signatures and of schemas, which are checked before; no text of a file has a part in them. */
const makers = /\/src\/replay\/compile\/invokers\.ts|\/node_modules\/zod\//;

function watchCode(attempts: string[]): void {
  const make = Function;
  const check = () => {
    const caller = new Error().stack?.split('\n')[3] ?? '';
    if (makers.test(caller)) return;
    attempts.push(`made code of text ${caller.trim()}`);
    throw new Error('code of text is forbidden');
  };
  const checked = new Proxy(make, {
    apply(target, self, args) {
      check();
      return Reflect.apply(target, self, args);
    },
    construct(target, args) {
      check();
      return Reflect.construct(target, args);
    },
  });
  make.prototype.constructor = checked;
  Object.assign(globalThis, { Function: checked, eval: check });
}

/**
 * From now on the process can neither start another, nor reach the network, nor run text as code. Returns what tells the
 * attempts since it was last asked, and changes of what all objects inherit. Writing files is forbidden by Node's own options
 * (campaign.ts).
 */
export function watch(): () => string[] {
  const attempts: string[] = [];
  const members = membersOf();
  watchCode(attempts);
  for (const [what, owner, names] of forbidden)
    for (const name of names)
      Object.assign(owner, {
        [name]: () => {
          attempts.push(`${what} (${name})`);
          throw new Error(`${name} is forbidden`);
        },
      });
  syncBuiltinESMExports();
  return () => {
    if (membersOf() !== members) attempts.push('changed what all objects inherit');
    return attempts.splice(0);
  };
}

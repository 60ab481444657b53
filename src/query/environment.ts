import { arch, availableParallelism, cpus, release, type } from 'node:os';
import type { GlContext } from '../gl/context.ts';
import { softwareThreads } from '../gl/software-threads.ts';
import type { Environment } from '../model/report.ts';

/** What the numbers were measured on. */
export function describeEnvironment(context: GlContext): Environment {
  return {
    driver: context.driver,
    api: context.api,
    vendor: context.vendor,
    renderer: context.renderer,
    version: context.versionText,
    software: context.software,
    softwareThreads: softwareThreads(context),
    os: `${type()} ${release()} ${arch()}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    node: process.version,
  };
}

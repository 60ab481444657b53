/** Both drivers are there wherever the bootstrap ran for tests; a machine without one is a failure, not a skip. */
export const drivers = ['egl', 'headless-gl'] as const;

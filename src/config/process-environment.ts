/** The environment this process was started with. */
export const processEnvironment = (): NodeJS.ProcessEnv => process.env;

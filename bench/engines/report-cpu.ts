// Loaded into a node beside its program: sends its parent the processor time it has used, in ms, and ends
// with it.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!((user + system) / 1000);
});
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();

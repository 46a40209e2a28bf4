// Loaded into a node beside its own program: tells whoever started it what processor time it has used, in ms, and ends
// with it.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!((user + system) / 1000);
});
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();

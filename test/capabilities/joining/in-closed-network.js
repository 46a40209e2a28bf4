// Runs a command in a network namespace that has nothing but its own loopback: no route leads in, and none out but a port
// of loopback, whose connections arrive at a Unix socket outside. Called by `unshare -rn`.
//
//   node test/capabilities/joining/in-closed-network.js SOCKET PORT COMMAND ...
import { spawn, spawnSync } from 'node:child_process';
import { connect, createServer } from 'node:net';

const [path, port, command, ...args] = process.argv.slice(2);
spawnSync('ip', ['link', 'set', 'lo', 'up']);
const server = createServer((socket) => {
  const far = connect(path);
  socket.pipe(far).pipe(socket);
  socket.on('error', () => far.destroy());
  far.on('error', () => socket.destroy());
});
server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(command, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code) => process.exit(code ?? 1));
});

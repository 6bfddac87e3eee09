/** Report each message in one line, with its file and line first. */
export default files => files
  .flatMap(file => file.messages.map(message => `${file.path}:${message.line ?? 1}: ${message.reason}`))
  .join('\n')

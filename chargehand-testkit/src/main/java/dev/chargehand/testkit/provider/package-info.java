/**
 * A model provider on a loopback socket that speaks OpenAI chat completions and embeddings, misbehaves on script and
 * remembers what reached it.
 *
 * <p>{@link dev.chargehand.testkit.provider.LoopbackProvider} is the server. A
 * {@link dev.chargehand.testkit.provider.reply.Reply} says how one request is answered:
 * {@link dev.chargehand.testkit.provider.reply.ChatReply} is a well-formed answer,
 * {@link dev.chargehand.testkit.provider.reply.WireReply} a script for the bytes. An
 * {@link dev.chargehand.testkit.provider.Exchange} is what the server saw of one request, to its end.
 */
@NullMarked
package dev.chargehand.testkit.provider;

import org.jspecify.annotations.NullMarked;

/** Replies of the loopback provider, down to the bytes and the pauses between them. */
@NullMarked
package dev.chargehand.testkit.provider.reply;

import org.jspecify.annotations.NullMarked;

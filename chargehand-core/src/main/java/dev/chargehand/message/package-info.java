/** Messages of a conversation and the parts they are built from; values only. */
@NullMarked
package dev.chargehand.message;

import org.jspecify.annotations.NullMarked;

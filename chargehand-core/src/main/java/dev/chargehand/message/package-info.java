/** Messages of a conversation and the parts they are made of; values only. */
@NullMarked
package dev.chargehand.message;

import org.jspecify.annotations.NullMarked;

/** JSON as values: one immutable text, and schemas made from Java types. No JSON library shows in a signature. */
@NullMarked
package dev.chargehand.json;

import org.jspecify.annotations.NullMarked;

/** Tools: what a model may call, made from a record and a lambda. */
@NullMarked
package dev.chargehand.tool;

import org.jspecify.annotations.NullMarked;

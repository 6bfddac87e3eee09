/** Tools that run programs: an argument vector, never a shell. */
@NullMarked
package dev.chargehand.command;

import org.jspecify.annotations.NullMarked;

/** Tools that run programs: an argument vector, never a shell. */
@NullMarked
package dev.chargehand.cli.command;

import org.jspecify.annotations.NullMarked;

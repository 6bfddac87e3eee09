/** The conversation at a terminal, turn by turn. */
@NullMarked
package dev.chargehand.cli.chat;

import org.jspecify.annotations.NullMarked;

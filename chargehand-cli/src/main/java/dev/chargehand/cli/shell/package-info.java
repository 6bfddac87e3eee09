/** The process around a command: its streams, terminal, signals, exit codes and error lines. */
@NullMarked
package dev.chargehand.cli.shell;

import org.jspecify.annotations.NullMarked;

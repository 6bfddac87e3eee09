/** What a terminal shows of a run: progress line by line, events as JSON lines, a summary. */
@NullMarked
package dev.chargehand.cli.output;

import org.jspecify.annotations.NullMarked;

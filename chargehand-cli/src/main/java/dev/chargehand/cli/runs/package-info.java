/** Commands about runs: start, list, show, resume, answer, cancel, recover. */
@NullMarked
package dev.chargehand.cli.runs;

import org.jspecify.annotations.NullMarked;

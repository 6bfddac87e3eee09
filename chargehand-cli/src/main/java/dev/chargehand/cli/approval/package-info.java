/** How a user answers waiting calls: the question at a terminal, and the ways of an answer to its run. */
@NullMarked
package dev.chargehand.cli.approval;

import org.jspecify.annotations.NullMarked;

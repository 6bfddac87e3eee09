/** What a run shows on a terminal: what each agent does now, above it what has happened. */
@NullMarked
package dev.chargehand.cli.live;

import org.jspecify.annotations.NullMarked;

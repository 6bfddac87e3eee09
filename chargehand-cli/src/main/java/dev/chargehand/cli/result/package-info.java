/** Results of tools, and times of runs, for people. */
@NullMarked
package dev.chargehand.cli.result;

import org.jspecify.annotations.NullMarked;

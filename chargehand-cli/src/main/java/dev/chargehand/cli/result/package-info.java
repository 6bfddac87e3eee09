/** Results of tools for people. */
@NullMarked
package dev.chargehand.cli.result;

import org.jspecify.annotations.NullMarked;

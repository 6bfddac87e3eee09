/** The programs of the page "Getting started". */
@NullMarked
package dev.chargehand.examples.start;

import org.jspecify.annotations.NullMarked;

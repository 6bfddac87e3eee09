/** Plants bugs in the sources, and looks whether the tests of the project see them. */
@NullMarked
package dev.chargehand.verify.planted;

import org.jspecify.annotations.NullMarked;

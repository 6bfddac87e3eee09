/** What a test of an agent needs: scripted models, a clock to turn by hand, assertions. */
@NullMarked
package dev.chargehand.testkit;

import org.jspecify.annotations.NullMarked;

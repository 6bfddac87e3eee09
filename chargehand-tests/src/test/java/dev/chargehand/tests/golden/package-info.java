/** The corpus of saved runs that every later version must read and go on with. */
@NullMarked
package dev.chargehand.tests.golden;

import org.jspecify.annotations.NullMarked;

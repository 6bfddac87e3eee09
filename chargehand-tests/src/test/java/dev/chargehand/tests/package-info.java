/** What a run does, told as rules, through the public API and the test kit. */
@NullMarked
package dev.chargehand.tests;

import org.jspecify.annotations.NullMarked;

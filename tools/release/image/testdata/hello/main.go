// Command hello is a program for images of tests.
package main

func main() { println("hello") }

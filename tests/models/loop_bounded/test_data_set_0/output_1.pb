BallJ`ίI€?Έψ²>y?X@2 ?q@•‚@0D@δl¤@YyAΉ@³}AΒndA
qA
2hAΒP§A¬έ^AΌ©©AΡηA7γAύπιAΖ―B¨•ΝAdwB